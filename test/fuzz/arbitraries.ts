import fc from 'fast-check'

/** Numbers that are no ids, no sequences, or only just. */
const oddNumber = fc.constantFrom(0, -0, -1, 1.5, 1, 2, 3, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324)

/** Texts that mean something to a parser, a path, a URL or a terminal. */
export const oddText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', '__proto__', 'constructor', '..', '\u0000', '\u001b]0;x\u0007', '\ud800', '[', '"', '\\', 'NaN'),
)

export const anyJson = fc.oneof(oddNumber, oddText, fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(null, [], {}))

const eventType = fc.constantFrom(
  'agent.message',
  'agent.custom_tool_use',
  'agent.approval_request',
  'user.message',
  'user.custom_tool_result',
  'user.tool_confirmation',
  'session.status_idle',
  'session.status_running',
  'session.tool_updated',
  'session.error',
  'later.kind',
)

/** Few, so that events share them. */
const id = fc.constantFrom('evt_1', 'evt_2', 'call_1', 'call_2')

const payload = fc.record(
  {
    tool_use_id: fc.oneof(id, anyJson),
    id: fc.oneof(id, anyJson),
    event_id: fc.oneof(id, anyJson),
    name: anyJson,
    input: anyJson,
    content: fc.oneof(anyJson, fc.array(fc.record({ type: fc.constant('text'), text: fc.oneof(oddText, anyJson) }))),
    status: fc.oneof(fc.constantFrom('running', 'completed', 'failed'), anyJson),
    is_error: anyJson,
    result: anyJson,
    message: anyJson,
    delta: anyJson,
    payload: fc.record({ tool_use_id: fc.oneof(id, anyJson), status: anyJson, content: anyJson }, { requiredKeys: [] }),
    stop_reason: fc.oneof(
      anyJson,
      fc.record({ type: fc.oneof(fc.constant('requires_action'), anyJson), event_ids: anyJson, message: anyJson }),
    ),
  },
  { requiredKeys: [] },
)

/** Any JSON in any field, and often enough what a service would send. */
export const envelopeLike = fc.record(
  {
    id: fc.oneof({ arbitrary: id, weight: 4 }, { arbitrary: anyJson, weight: 1 }),
    type: fc.oneof({ arbitrary: eventType, weight: 8 }, { arbitrary: anyJson, weight: 1 }),
    sequence: fc.oneof({ arbitrary: oddNumber, weight: 4 }, { arbitrary: anyJson, weight: 1 }),
    status: fc.oneof(fc.constantFrom('complete', 'streaming', null), anyJson),
    payload: fc.oneof({ arbitrary: payload, weight: 8 }, { arbitrary: anyJson, weight: 1 }),
    createdAt: fc.oneof(fc.constantFrom('2026-01-01T00:00:00Z', 'yesterday'), anyJson),
    processedAt: anyJson,
  },
  { requiredKeys: ['type', 'payload'] },
)

/** Nested more deeply than what is recursive can follow. */
export const abyss = '['.repeat(20_000) + ']'.repeat(20_000)
