/** A nominal type: an `AccountId` cannot be passed as a `RequestId`. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
declare const brand: unique symbol;
