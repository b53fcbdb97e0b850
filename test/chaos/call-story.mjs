import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runProgram } from './program.mjs'

/** Longer than history lists an event late (see faults.mjs): a machine that knows nothing has history alone to go by. */
const LISTED_MS = 1_500
/** More runs than any call needs whose commands get anywhere at all. */
const MAX_RUNS = 60
const CHANCE = { noKickoff: 0.15, failed: 0.3, killed: 0.35, twice: 0.25, stateLost: 0.15, onceMore: 0.3 }

/**
 * Plays the life of one call: its kickoff and its final, each run until it says that it is done; some runs killed, some
 * side by side, some with the state directory lost in between.
 */
export async function playCall(story) {
  const { toolUseId, sessionId, random, folder, counts } = story
  const happens = (chance) => random() < chance
  const state = { number: 0 }
  const stateDir = () => join(folder, `state-${toolUseId}-${state.number}`)
  const common = ['--session', sessionId, '--tool-use-id', toolUseId, '--timeout', '20s', '--settle', '3s', '--json']
  const result = happens(CHANCE.failed) ? 'fail' : 'complete'

  if (!happens(CHANCE.noKickoff)) {
    await untilDone([['running', ...common, '--text', `started ${toolUseId}`]], isDoneKickoff)
  }
  const final = [result, ...common, '--text', `${result} ${toolUseId}`]
  await untilDone(happens(CHANCE.twice) ? [final, final] : [final], isDone)
  if (happens(CHANCE.onceMore)) await run(final, undefined)
  await rm(stateDir(), { recursive: true, force: true })

  async function untilDone(commands, isEnough) {
    for (let runs = 0; runs < MAX_RUNS; runs++) {
      const ends = await Promise.all(
        commands.map((command) => run(command, happens(CHANCE.killed) ? random() * 1_500 : undefined)),
      )
      const done = ends.some(isEnough)
      await loseState(ends)
      if (done) return
    }
    counts.stuck++
    story.verbose && console.error(`${toolUseId}: gave up`)
  }

  /**
   * A state directory may get lost, but not together with a run that may have sent something, and not before history lists
   * what was sent: then nothing would be left to know it by.
   */
  async function loseState(ends) {
    const mayHaveSent = ends.some(({ killed, code }) => killed || code === 6)
    if (mayHaveSent || !happens(CHANCE.stateLost)) return
    await rm(stateDir(), { recursive: true, force: true })
    state.number++
    counts.stateLost++
    await sleep(LISTED_MS)
  }

  async function run(command, killAfterMs) {
    const begun = Date.now()
    const end = await runProgram({ ...story, command, killAfterMs, stateDir: stateDir() })
    story.log.push({ toolUseId, run: command[0], begun, ended: Date.now(), state: state.number, ...end })
    await judge(command, end)
    return end
  }

  async function judge([name], end) {
    counts.runs++
    if (end.killed) counts.kills++
    if (end.stuck) counts.stuck++
    if (end.killed || end.stuck || name === 'running') return
    counts.codes[end.code] = (counts.codes[end.code] ?? 0) + 1
    const accepted = ((await story.emulator.stats()).finals[toolUseId] ?? 0) > 0
    if (end.code === 0 && !accepted) counts.falseSuccesses++
    if (![0, 6, 8].includes(end.code) && accepted) {
      counts.falseFailures++
      console.error(`${toolUseId}: ${name} ended with ${end.code} although accepted\n${end.stderr}`)
    }
  }
}

function isDone({ code }) {
  return code === 0
}

/** 7: the call takes no kickoff any more, as when the answer to an earlier one was lost and its turn is over. */
function isDoneKickoff({ code }) {
  return code === 0 || code === 7
}
