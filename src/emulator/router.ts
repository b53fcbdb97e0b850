import { refusal } from './refusal.ts'
import { type ApiRequest, errorReply, type Reply } from './reply.ts'

export interface Route {
  readonly method: string
  /** With `:id` for the one part that varies. */
  readonly path: string
  /** May throw a refusal. */
  readonly answer: (request: ApiRequest, id: string) => Reply
}

/** Finds the route of a request and lets it answer; a key is asked for only when there is one. Never throws. */
export function createRouter(options: {
  routes: readonly Route[]
  apiKey?: string | undefined
}): (request: ApiRequest) => Reply {
  const table = options.routes.map((route) => ({ route, pattern: patternOf(route.path) }))

  return (request) => {
    try {
      return dispatch(request)
    } catch (error) {
      return errorReply(error)
    }
  }

  function dispatch(request: ApiRequest): Reply {
    if (options.apiKey !== undefined && request.headers['x-api-key'] !== options.apiKey) {
      throw refusal('unauthorized', 'the API key is missing, invalid or revoked')
    }
    const atPath = table.filter(({ pattern }) => pattern.test(request.path))
    if (atPath.length === 0) throw refusal('not_found', `there is nothing at ${request.path}`)
    const found = atPath.find(({ route }) => route.method === request.method)
    if (found === undefined) return methodNotAllowed(request.method, atPath)
    return found.route.answer(request, decodeId(found.pattern.exec(request.path)?.[1] ?? ''))
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(':id', '([^/]+)')}$`)
}

function methodNotAllowed(method: string, atPath: readonly { route: Route }[]): Reply {
  const allowed = atPath.map(({ route }) => route.method).join(', ')
  const error = refusal('method_not_allowed', `${method} is not allowed here, only ${allowed}`)
  return errorReply(error, { allow: allowed })
}

function decodeId(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw refusal('invalid_request', `the path part ${part} is badly encoded`)
  }
}
