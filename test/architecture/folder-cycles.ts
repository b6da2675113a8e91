/** Name of the rule in reports of violations. */
export const NO_CIRCULAR = 'no-circular';

export interface Import {
  readonly from: string;
  readonly to: string;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Workspace of a path; `null` outside the `src` of a workspace. */
function workspaceOf(path: string): string | null {
  return /^(?:packages|apps|tools)\/[^/]+(?=\/src\/)/u.exec(path)?.[0] ?? null;
}

type FolderGraph = ReadonlyMap<string, ReadonlySet<string>>;

function folderGraph(imports: readonly Import[]): FolderGraph {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) graph.set(folderOf(from), (graph.get(folderOf(from)) ?? new Set()).add(folderOf(to)));
  return graph;
}

/** The folders that a folder imports, directly or through others. */
function reachedFrom(start: string, graph: FolderGraph): ReadonlySet<string> {
  const reached = new Set(graph.get(start));
  // Iterating over a Set also visits the elements that are added meanwhile.
  for (const folder of reached) for (const next of graph.get(folder) ?? []) reached.add(next);
  return reached;
}

/** Imports between two folders of a workspace that import each other, directly or through others. */
export function circularImports(imports: readonly Import[]): readonly Import[] {
  const between = imports.filter(({ from, to }) => {
    const workspace = workspaceOf(from);
    return workspace !== null && workspace === workspaceOf(to) && folderOf(from) !== folderOf(to);
  });
  const graph = folderGraph(between);
  const reached = new Map([...graph.keys()].map((folder) => [folder, reachedFrom(folder, graph)]));
  return between.filter(({ from, to }) => reached.get(folderOf(to))?.has(folderOf(from)) === true);
}
