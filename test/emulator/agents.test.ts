import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { startEmulator } from '../helpers/emulator.ts'
import { confirmation, message, result, sessionApi } from './api.ts'

const [A, B] = ['custom_toolu_000001', 'custom_toolu_000002']

/** Only what the agent said and how turns ended. */
async function spoken(api: ReturnType<typeof sessionApi>): Promise<string[]> {
  const ends = (word: string) => /^(agent\.message|session\.status_idle (?!requires_action))/.test(word)
  return (await api.story()).filter(ends).map((word) => word.replace(/^(agent\.message|session\.status_idle) /, ''))
}

async function play(rules: string) {
  const emulator = await startEmulator({ scenario: `agents:\n  a:\n${rules}\nsessions: [{ id: s, agent: a }]` })
  return { ...emulator, api: sessionApi(emulator.url, 's') }
}

describe('the built-in agent', () => {
  test('renders a video: kickoff, then the final', async () => {
    const api = sessionApi((await startEmulator()).url)
    await api.send(message('a cat'))
    expect((await api.history()).find(({ type }) => type === 'agent.custom_tool_use')?.payload).toMatchObject({
      tool_use_id: A,
      name: 'render_video',
      input: { prompt: 'a cat' },
    })
    await api.send(result(A, 'running', 'Started.'))
    await api.send(result(A, 'completed', 'See https://example.com/v/1'))
    expect(await spoken(api)).toEqual([
      '"I will have that rendered."',
      '"The video is being rendered. I will tell you when it is ready."',
      'end_turn',
      '"Your video is ready. See https://example.com/v/1"',
      'end_turn',
    ])
  })

  test.each([
    ['completed', '"Your video is ready. Here."'],
    ['failed', '"I am sorry, the video could not be rendered. Here."'],
  ] as const)('takes an immediate answer too, and a later final: %s', async (status, words) => {
    const api = sessionApi((await startEmulator()).url)
    await api.send(message('a cat'))
    await api.send(result(A, status, 'Here.'))
    await api.send(result(A, status, 'Here.'))
    expect(await spoken(api)).toEqual(['"I will have that rendered."', words, 'end_turn', words, 'end_turn'])
  })

  test('apologises when nobody answers', async () => {
    const { url, clock } = await startEmulator()
    const api = sessionApi(url)
    await api.send(message('a cat'))
    await clock.advance(5 * 60_000 + 1)
    expect((await spoken(api)).slice(1)).toEqual(['"I am sorry, the renderer did not answer."', 'end_turn'])
  })
})

describe('rules', () => {
  test('the first that fits is played, by text', async () => {
    const { api } = await play(`
    - { when: message, matches: '^hello', do: [{ say: one }] }
    - { when: message, do: [{ say: two }] }
    - { when: message, matches: hello, do: [{ say: never }] }`)
    for (const text of ['HELLO there', 'oh hello']) await api.send(message(text))
    expect(await spoken(api)).toEqual(['"one"', 'end_turn', '"two"', 'end_turn'])
  })

  test('the first that fits is played, by tool and status', async () => {
    const { api } = await play(`
    - { when: message, do: [{ calls: [{ tool: t }, { tool: u }] }] }
    - { when: result, tool: t, status: failed, do: [{ say: t failed }] }
    - { when: result, tool: t, do: [{ say: t done }] }
    - { when: result, matches: odd, do: [{ say: odd }] }`)
    await api.send(message('go'), result(A, 'running'), result(B, 'running'))
    await api.send(result(A, 'failed'))
    await api.send(result(A, 'completed'))
    await api.send(result(B, 'completed', 'an odd one'))
    await api.send(result(B, 'completed', 'an even one'))
    await api.send(result('custom_toolu_wrong', 'completed', 'odd'))
    const turns = ['"t failed"', '"t done"', '"odd"', '', '"odd"'].flatMap((said) =>
      said ? [said, 'end_turn'] : ['end_turn'],
    )
    expect(await spoken(api)).toEqual(['end_turn', ...turns])
  })
})

describe('steps', () => {
  test('end and error stop the turn; nothing after them is played', async () => {
    const { api } = await play(`
    - { when: message, matches: bad, do: [{ error: 'no: {{text}}' }, { say: never }] }
    - { when: message, do: [end, { say: never }] }`)
    await api.send(message('good'))
    await api.send(message('bad'))
    expect(await spoken(api)).toEqual(['end_turn', 'error'])
    expect((await api.history()).at(-1)?.payload.stop_reason).toEqual({ type: 'error', message: 'no: bad' })
  })

  test('wait keeps the turn running for that long', async () => {
    const { api, clock } = await play('    - { when: message, do: [{ say: a }, { wait: 2s }, { say: b }] }')
    await api.send(message('go'))
    await clock.advance(1_999)
    expect(await spoken(api)).toEqual(['"a"'])
    await clock.advance(1)
    expect(await spoken(api)).toEqual(['"a"', '"b"', 'end_turn'])
  })

  test('deltas come before the whole', async () => {
    const { api } = await play('    - { when: message, do: [{ say: one two, deltas: true }] }')
    await api.send(message('go'))
    expect(await spoken(api)).toEqual(['delta "one "', 'delta "two"', '"one two"', 'end_turn'])
  })

  test('a long text is split as the protocol demands, and an empty one is not said', async () => {
    const { api } = await play(`    - { when: message, do: [{ say: '{{text}}{{text}}' }, { say: '{{answer}}' }] }`)
    await api.send(message('x'.repeat(20_000)))
    const said = (await api.history()).filter(({ type }) => type === 'agent.message')
    expect(said.map(({ payload }) => (payload.content as unknown[]).length)).toEqual([2])
  })

  test('placeholders are filled in texts and inputs, unknown ones are left', async () => {
    const { api } = await play(`
    - when: message
      do: [{ call: { tool: t, input: { list: ['{{ text }}', { deep: '<{{text}}>' }], n: 3, other: '{{x}}{{constructor}}' } } }]`)
    await api.send(message('$& $1'))
    expect((await api.history())[2]?.payload.input).toEqual({
      list: ['$& $1', { deep: '<$& $1>' }],
      n: 3,
      other: '{{x}}{{constructor}}',
    })
  })
})

describe('the example of the documentation', () => {
  async function start() {
    const page = readFileSync(new URL('../../docs/emulator.md', import.meta.url), 'utf8')
    const [, scenario = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
    const emulator = await startEmulator({ scenario })
    return { ...emulator, film: sessionApi(emulator.url, 'ses_film'), waiting: sessionApi(emulator.url, 'ses_waiting') }
  }

  test('begins with a session that waits for two calls', async () => {
    const { waiting, film, clock } = await start()
    expect(await waiting.status()).toBe('requires_action')
    expect(await film.status()).toBe('idle')
    await waiting.send(result(A, 'running', 'cutting'), result(B, 'completed', 'mixed'))
    await clock.advance(2_000)
    expect((await spoken(waiting)).slice(-2)).toEqual(['"The tools say: cutting\nmixed"', 'end_turn'])
    await waiting.send(result(A, 'completed', 'See film 1.'))
    expect((await spoken(waiting)).slice(-2)).toEqual(['"The film is cut. See film 1."', 'end_turn'])
    await waiting.send(result(B, 'failed', 'No sound.'))
    expect((await spoken(waiting)).slice(-2)).toEqual(['"I am sorry, mix_sound failed. No sound."', 'end_turn'])
  })

  test('goes on with an error when nobody answers', async () => {
    const { waiting, clock } = await start()
    await clock.advance(5 * 60_000 + 1)
    expect((await waiting.history()).at(-1)?.payload.stop_reason).toEqual({
      type: 'error',
      message: 'A tool did not answer in time.',
    })
  })

  test('asks before it publishes', async () => {
    const { film } = await start()
    const call = 'custom_toolu_000003'
    await film.send(message('Please publish it'))
    await film.send(confirmation(call, 'deny', 'Not yet.'))
    expect(await spoken(film)).toEqual(['"I will not publish it. Not yet."', 'end_turn'])
    await film.send(message('Deploy!'))
    await film.send(confirmation('custom_toolu_000004', 'allow'), result('custom_toolu_000004', 'completed', 'v2'))
    expect((await spoken(film)).slice(-2)).toEqual(['"Published: v2"', 'end_turn'])
  })
})
