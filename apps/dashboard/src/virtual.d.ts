declare module 'virtual:route-table' {
  export type RouteEntry = readonly [method: string, path: string, largestPage: number | null];
  export const routeTable: Readonly<Record<string, RouteEntry>>;
}
