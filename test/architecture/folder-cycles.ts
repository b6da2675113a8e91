/** Name of the rule in violations. */
export const NO_CIRCULAR = 'no-circular';

export interface Import {
  readonly from: string;
  readonly to: string;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** `null` outside a workspace's `src`. */
function workspaceOf(path: string): string | null {
  return /^(?:packages|apps|tools)\/[^/]+(?=\/src\/)/u.exec(path)?.[0] ?? null;
}

/** Imported folders by folder. */
type FolderGraph = ReadonlyMap<string, ReadonlySet<string>>;

function folderGraph(imports: readonly Import[]): FolderGraph {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) graph.set(folderOf(from), (graph.get(folderOf(from)) ?? new Set()).add(folderOf(to)));
  return graph;
}

/** The folders that a folder imports, directly or through others. */
function reachedFrom(start: string, graph: FolderGraph): ReadonlySet<string> {
  const reached = new Set(graph.get(start));
  // Iterating a Set also visits elements added meanwhile.
  for (const folder of reached) for (const next of graph.get(folder) ?? []) reached.add(next);
  return reached;
}

/** Imports within a workspace whose target folder imports the source's folder, transitively. */
export function circularImports(imports: readonly Import[]): readonly Import[] {
  const between = imports.filter(({ from, to }) => {
    const workspace = workspaceOf(from);
    return workspace !== null && workspace === workspaceOf(to) && folderOf(from) !== folderOf(to);
  });
  const graph = folderGraph(between);
  const reached = new Map([...graph.keys()].map((folder) => [folder, reachedFrom(folder, graph)]));
  return between.filter(({ from, to }) => reached.get(folderOf(to))?.has(folderOf(from)) === true);
}
