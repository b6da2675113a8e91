export interface CatalogueProblem {
  /** Number of the line, from 1; `null` if the file cannot be read. */
  readonly line: number | null;
  /** Path such as `models.small.price.prompt`; empty for the whole catalogue. */
  readonly path: string;
  readonly message: string;
}

/** For example `catalog.yaml:12: models.small.price.prompt: is missing`. */
export function describeProblem(file: string, { line, path, message }: CatalogueProblem): string {
  return [line === null ? file : `${file}:${line}`, ...(path === '' ? [] : [path]), message].join(': ');
}
