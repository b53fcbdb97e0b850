export type TemplateValues = Readonly<Record<string, string>>

/** Puts the values in the place of `{{name}}`, in every string of the data. A name without a value stays as it is. */
export function fillTemplate<T>(template: T, values: TemplateValues): T
export function fillTemplate(template: unknown, values: TemplateValues): unknown {
  if (typeof template === 'string') {
    return template.replace(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name: string) =>
      Object.hasOwn(values, name) ? (values[name] as string) : placeholder,
    )
  }
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fillTemplate(value, values)]))
}
