import type { HermClient } from '../client/herm-client.ts'
import { HermError } from '../errors.ts'

/** Asks the service for the least that needs a key. Throws what it answers: `auth` for a bad key, `unreachable`, … */
export async function verifyKey({ client, signal }: { client: HermClient; signal: AbortSignal }): Promise<void> {
  try {
    await client.listSessions({ limit: 1, signal })
  } catch (error) {
    if (!(error instanceof HermError) || signal.aborted) throw error
    const isRefused = error.kind === 'auth'
    throw new HermError(
      error.kind,
      `${isRefused ? 'the key was refused' : 'the key could not be checked'}: ${error.message}`,
      {
        hint: isRefused
          ? 'Nothing was stored. Check that the key was copied whole, and that it is one of this service.'
          : 'Nothing was stored. Try again later, or store the key unchecked with --no-verify.',
        serviceCode: error.serviceCode,
        status: error.status,
        cause: error,
      },
    )
  }
}
