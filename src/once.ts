/**
 * Makes it when it is first asked for, and then never again. A promise is kept as it is, a rejected one too: what failed in a
 * run is not tried a second time in it, and all who ask are told the same. What throws at once is asked again.
 */
export function once<T>(make: () => T): (() => T) & { wasCalled: () => boolean } {
  let made: { readonly value: T } | undefined
  const get = () => {
    made ??= { value: make() }
    return made.value
  }
  return Object.assign(get, { wasCalled: () => made !== undefined })
}
