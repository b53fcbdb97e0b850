import { ownTypes, typeTable } from './record-schema.ts'
import type { Printable } from './reporter.ts'
import { topicText } from './topic-text.ts'

/** `help output`; `width` in columns, for a person. */
export function outputHelp(width: number): Printable[] {
  return topicText(STREAMS, { topic: 'output', width, list: typeTable(ownTypes, width) })
}

const STREAMS = `Standard output carries data and nothing else; progress, notes, prompts and errors go to standard error.
With --json, standard output is one JSON object per line, written as it happens, and an error is one on standard error.
With --field NAME, standard output is that one value of each object. \`herm-tools schema\` prints what the objects hold.
What comes from the service (events, sessions) is its own JSON, untouched. The tool's own records have a type that begins with "herm_tools.". Within a major version, records and fields are added, and none is renamed, removed or changed in meaning: pass over what you do not know.
Text for people may change at any time. In it, control characters from a session are left out; in JSON they are exact.`
