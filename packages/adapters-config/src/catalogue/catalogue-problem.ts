export interface CatalogueProblem {
  /** From 1; `null` without a text. */
  readonly line: number | null;
  /** For example `models.small.price.prompt`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** For example `catalog.yaml:12: models.small.price.prompt: is missing`. */
export function describeProblem(file: string, { line, path, message }: CatalogueProblem): string {
  return [line === null ? file : `${file}:${line}`, ...(path === '' ? [] : [path]), message].join(': ');
}
