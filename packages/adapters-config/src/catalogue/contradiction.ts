/** A reference that does not resolve, or values that exclude each other. */
export interface Contradiction {
  readonly path: Path;
  readonly message: string;
}

export type Path = readonly (string | number)[];

export type Names = ReadonlySet<string>;
