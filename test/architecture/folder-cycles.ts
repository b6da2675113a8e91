/** The name of the rule, as violations carry it. */
export const NO_CIRCULAR = 'no-circular';

/** One import, by the paths of both files. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The workspace of a source; `null` for files outside the `src` of a workspace. */
function workspaceOf(path: string): string | null {
  return /^(?:packages|apps|tools)\/[^/]+(?=\/src\/)/u.exec(path)?.[0] ?? null;
}

/** The folders that each folder imports. */
type FolderGraph = ReadonlyMap<string, readonly string[]>;

function folderGraph(imports: readonly Import[]): FolderGraph {
  const graph = new Map<string, string[]>();
  for (const { from, to } of imports) graph.set(folderOf(from), [...(graph.get(folderOf(from)) ?? []), folderOf(to)]);
  return graph;
}

/** The folders that a folder imports, directly or through others. */
function reachedFrom(start: string, graph: FolderGraph): ReadonlySet<string> {
  const reached = new Set(graph.get(start));
  // A set that grows while it is iterated yields what was added.
  for (const folder of reached) for (const next of graph.get(folder) ?? []) reached.add(next);
  return reached;
}

/** The imports between folders of one workspace whose target folder imports the source's folder, directly or through others. */
export function circularImports(imports: readonly Import[]): readonly Import[] {
  const between = imports.filter(({ from, to }) => {
    const workspace = workspaceOf(from);
    return workspace !== null && workspace === workspaceOf(to) && folderOf(from) !== folderOf(to);
  });
  const graph = folderGraph(between);
  return between.filter(({ from, to }) => reachedFrom(folderOf(to), graph).has(folderOf(from)));
}
