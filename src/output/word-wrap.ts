/**
 * How text for people is broken on this stream: between words on a terminal, not at all elsewhere. A word that is longer
 * than a line stays whole, and so does a command between backticks that fits on one. What goes on in the next line is
 * indented, so that it cannot pass for a line of the tool's own.
 */
export async function wordWrap(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>,
): Promise<(text: string) => string> {
  if (!stream.isTTY) return (text) => text
  const { wrapAnsi } = await import('fast-wrap-ansi')
  return (text) => {
    const { columns } = stream
    // A terminal that does not tell its size, or is too narrow for any word.
    if (!(columns > NARROWEST)) return text
    const width = columns - INDENT.length
    const bound = text.replace(/`[^`\n]*`/g, (command) =>
      command.length <= width ? command.replaceAll(' ', GLUE) : command,
    )
    const lines = bound.split('\n').map((line, at) => {
      const rows = wrapAnsi(line.trim(), width).replaceAll('\n', `\n${INDENT}`)
      return at === 0 ? rows : INDENT + rows
    })
    return lines.join('\n').replaceAll(GLUE, ' ')
  }
}

/** Of the lines after the first, as `indented` has it. */
const INDENT = '  '
const NARROWEST = 10
/** Stands for a blank that is no place to break: a character for private use, one column wide. */
const GLUE = '\ue000'
