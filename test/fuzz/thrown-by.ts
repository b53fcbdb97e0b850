/** What it throws; undefined for nothing. */
export function thrownBy(act: () => unknown): unknown {
  try {
    act()
    return undefined
  } catch (error) {
    return error
  }
}
