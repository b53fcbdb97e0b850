/** Makes it when it is first asked for, and then never again; what throws is tried again. */
export function once<T>(make: () => T): (() => T) & { wasCalled: () => boolean } {
  let made: { readonly value: T } | undefined
  const get = () => {
    made ??= { value: make() }
    return made.value
  }
  return Object.assign(get, { wasCalled: () => made !== undefined })
}
