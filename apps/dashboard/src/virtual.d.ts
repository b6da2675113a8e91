declare module 'virtual:route-table' {
  export const routeTable: Readonly<Record<string, readonly [method: string, path: string]>>;
}
