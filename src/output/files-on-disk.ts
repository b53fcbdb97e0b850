import { join } from 'node:path'
import type { Printable } from './reporter.ts'
import { filledBehind, topicText } from './topic-text.ts'
import { oneLine } from './visible-text.ts'

interface Folders {
  readonly config: string
  readonly state: string
  readonly cache: string
}

/** `help files`: what is kept on this machine, at the paths that are in force now; `width` in columns, for a person. */
export function filesHelp({ config, state, cache }: Folders, width: number): Printable[] {
  const places = [
    {
      name: 'config',
      path: join(config, 'config.json'),
      mode: '0600',
      holds: 'the profiles, with their settings and API keys',
      removal: 'only to be rid of all profiles and keys; for one key, herm-tools auth logout',
    },
    {
      name: 'journal',
      path: join(state, 'journal'),
      mode: '0700, files 0600',
      holds: 'one file for each call: ids, times, and a digest of what was sent; no texts',
      removal:
        'not while a call is open: it is what keeps a final from being sent twice; for one call, herm-tools jobs forget',
    },
    {
      name: 'places',
      path: join(state, 'places'),
      mode: '0700, files 0600',
      holds: 'one file for each session: how far watch --resume has come',
      removal: 'yes; the next watch --resume then begins anew',
    },
    {
      name: 'locks',
      path: join(state, 'locks'),
      mode: '0700, files 0600',
      holds: 'who works on a call or a session now',
      removal: 'not while herm-tools runs; there is no need to: the lock of a process that died is taken over',
    },
    {
      name: 'cache',
      path: cache,
      mode: '0700',
      holds: 'the program as Node.js compiled it, for a faster start; none with NODE_DISABLE_COMPILE_CACHE=1',
      removal: 'yes, at any time',
    },
  ]
  const list = places.map((place, at): Printable => {
    const { name, path, mode, holds, removal } = place
    const fields = { name, holds, mode, remove: removal }
    const lines = Object.entries(fields).map(([label, text]) => filledBehind(`  ${label.padEnd(8)}`, text, width))
    return {
      json: { type: 'herm_tools.place', ...place },
      text: (style) => [...(at === 0 ? [] : ['']), style.bold(oneLine(path)), ...lines].join('\n'),
    }
  })
  return topicText(RULES, { topic: 'files', width, list })
}

const RULES = `Apart from the cache, nothing is made before it is needed. Every file is replaced as a whole. Files and folders are for their owner alone; what belongs to another user is refused. A file that cannot be understood stops the command that needs it, and is kept: jobs forget --force puts it aside, with ".broken-" and the time in its name, and such a file may be removed once you have looked at it.
The folders are set with HERM_TOOLS_CONFIG_DIR and HERM_TOOLS_STATE_DIR.`
