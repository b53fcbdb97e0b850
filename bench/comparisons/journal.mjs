import { alternate } from '../alternate.mjs'
import { atMost } from '../bars.mjs'
import { fillJournal, loadEntryFileName } from '../fill-journal.mjs'
import { medianOf } from '../statistics.mjs'
import { ratio, timeTable } from '../time-table.mjs'
import { count } from '../units.mjs'

const FEW = 10
const MANY = 10_000

/** A journal that was used for years. */
export const journal = {
  name: 'journal',
  title: 'A long journal',
  rounds: { full: 15, quick: 2 },
  async compare(lab) {
    const server = await lab.server()
    const entryFileName = await loadEntryFileName(lab.folder)
    const filled = async (entries) => {
      const env = await lab.home({ url: server.url })
      await fillJournal(lab, { env, entries, entryFileName })
      return env
    }
    const few = await filled(FEW)
    const many = await filled(MANY)
    const listed = async (env, entries) => {
      const run = await lab.run(lab.tool('jobs', 'list', '--json'), { env })
      const printed = run.stdout.split('\n').length - 1
      if (printed !== entries) throw new Error(`${printed} entries were listed, not ${entries}`)
      return run
    }
    const completeCall = (env, n) =>
      lab.run(lab.tool('complete', '--tool-use-id', `custom_toolu_${n}`, '--text', 'Rendered.'), { env })
    const lists = await alternate(
      { [`jobs list, ${FEW}`]: () => listed(few, FEW), [`jobs list, ${count(MANY)}`]: () => listed(many, MANY) },
      lab,
    )
    const finals = await alternate(
      {
        [`complete, ${FEW}`]: async () => completeCall(await filled(FEW), 1),
        // Every round takes another call.
        [`complete, ${count(MANY)}`]: (round) => completeCall(many, round + 1),
      },
      lab,
    )
    return {
      bars: [
        atMost(1_000, {
          what: `jobs list, ${count(MANY)} entries`,
          value: medianOf(lists[`jobs list, ${count(MANY)}`], 'wallMs'),
          digits: 0,
          unit: 'ms',
        }),
        atMost(1.1, {
          what: `complete among ${count(MANY)} entries, of one among ${FEW}`,
          value: ratio(finals, `complete, ${count(MANY)}`, `complete, ${FEW}`),
        }),
      ],
      tables: [timeTable({ ...lists, ...finals })],
      notes: ['`complete` finds the session in the journal.'],
    }
  },
}
