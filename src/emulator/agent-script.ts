import type { StopReason } from '../protocol/turn-event.ts'
import type { CallOutcome } from './pending-calls.ts'
import type { Rule, Step } from './scenario-shape.ts'
import type { Trigger } from './session-turns.ts'
import { fillTemplate, type TemplateValues } from './template.ts'
import type { Script, Stage } from './turn.ts'

/** The script that an agent with these rules plays: the steps of the first rule that fits, or none at all. */
export function scriptFor(rules: readonly Rule[], trigger: Trigger): Script {
  const steps = rules.find((rule) => fits(rule, trigger))?.do ?? []
  return async (stage) => {
    const scene = createScene(trigger)
    for (const step of steps) {
      if (step.if !== undefined && !scene.statuses.includes(step.if)) continue
      const stopReason = await perform(step, stage, scene)
      if (stopReason !== undefined) return stopReason
    }
    return END_TURN
  }
}

function fits(rule: Rule, trigger: Trigger): boolean {
  if (rule.when !== trigger.kind || !(rule.matches?.test(trigger.text) ?? true)) return false
  if (trigger.kind === 'message') return true
  return [undefined, trigger.tool].includes(rule.tool) && [undefined, trigger.status].includes(rule.status)
}

/** What the steps so far leave for the next: the outcome of the latest calls, or of the result that began the turn. */
interface Scene {
  readonly values: TemplateValues
  readonly statuses: readonly string[]
  afterCalls(outcomes: readonly CallOutcome[]): void
}

function createScene(trigger: Trigger): Scene {
  const { tool = '', status = '' } = trigger.kind === 'result' ? trigger : {}
  const scene = {
    values: { text: trigger.text, tool, status, answer: '' },
    statuses: [status] as string[],
    afterCalls(outcomes: readonly CallOutcome[]) {
      scene.statuses = outcomes.map((outcome) => outcome.status)
      const answer = outcomes.map(({ text }) => text).join('\n')
      scene.values = { ...scene.values, status: scene.statuses.join(', '), answer }
    },
  }
  return scene
}

/** Gives the stop reason when the step ends the turn. */
async function perform(step: Step, stage: Stage, scene: Scene): Promise<StopReason | undefined> {
  if (step.say !== undefined) {
    stage.say(fillTemplate(step.say, scene.values), { deltas: step.deltas ?? false })
  }
  const calls = step.calls ?? (step.call === undefined ? [] : [step.call])
  if (calls.length > 0) scene.afterCalls(await stage.call(fillTemplate(calls, scene.values)))
  if (step.wait !== undefined) await stage.wait(step.wait)
  if (step.error !== undefined) return { type: 'error', message: fillTemplate(step.error, scene.values) }
  return step.end ? END_TURN : undefined
}

const END_TURN: StopReason = { type: 'end_turn' }
