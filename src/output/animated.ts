/** Whether things may move on this stream: it is a terminal that can, and no machine reads along. */
export function isAnimated(
  stream: Pick<NodeJS.WriteStream, 'isTTY'>,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && !env.CI && env.TERM !== 'dumb'
}
