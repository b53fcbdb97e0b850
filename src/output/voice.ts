/** Who says something, each in a colour of its own. */
export type Voice = keyof typeof voices

export const voices = { agent: 'cyan', user: 'green', steer: 'green', interrupt: 'yellow', error: 'red' } as const

/** Whose words an event of this type is; undefined for one that is no words. */
export function voiceOf(type: string): Voice | undefined {
  return voicesByType.get(type)
}

const voicesByType = new Map<string, Voice>([
  ['agent.message', 'agent'],
  ['user.message', 'user'],
  ['user.steer', 'steer'],
  ['user.interrupt', 'interrupt'],
  ['session.error', 'error'],
])
