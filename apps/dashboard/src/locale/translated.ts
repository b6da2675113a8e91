/** Texts of another language: the same names and parameters, other strings. */
export type Translated<T> =
  T extends string ? string
    : T extends (...values: infer Values) => infer Text ? (...values: Values) => Translated<Text>
      : { readonly [Name in keyof T]: Translated<T[Name]> };
