/** Converts a contract's `/keys/{id}` to Express's `/keys/:id`, under `root`. */
export function expressPath(root: string, path: string): string {
  return root + path.replaceAll(/\{(\w+)\}/g, ':$1');
}
