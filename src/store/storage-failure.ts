import { HermError } from '../errors.ts'

/** The system's code of an error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
}

/** Nothing is there; ENOTDIR because HOME=/dev/null is a common way to say "no home". */
export function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')
}

/** It may be there, and this user may not look. */
export function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'ELOOP'].includes(errorCode(error) ?? '')
}

/** What is read or written, and the environment variable that puts it elsewhere. */
interface Place {
  readonly path: string
  readonly variable: 'HERM_TOOLS_STATE_DIR' | 'HERM_TOOLS_CONFIG_DIR'
}

/** Does what reads from the place; an error of the system becomes HermError `failed`, any other stays as it is. */
export function reading<T>({ path, variable }: Place, act: () => Promise<T>): Promise<T> {
  return act().catch((error) => {
    throw storageFailure(error, `cannot read ${path}`, `Let this user read it, or set ${variable} to another folder.`)
  })
}

/** Does what writes to the place; errors as with `reading`. */
export function writing<T>({ path, variable }: Place, act: () => Promise<T>): Promise<T> {
  return act().catch((error) => {
    throw storageFailure(
      error,
      `cannot write ${path}`,
      `Set ${variable} to a folder that this user can write to and that has room.`,
    )
  })
}

function storageFailure(error: unknown, message: string, hint: string): unknown {
  if (!(error instanceof Error && 'errno' in error)) return error
  return new HermError('failed', `${message}: ${errorCode(error)}`, { hint, cause: error })
}
