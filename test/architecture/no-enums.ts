const ENUM = /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+\w+\s*\{/mu;

/** Sets of names are unions of strings in this project, because any number can be assigned to a numeric enum. */
export function declaresEnum(source: string): boolean {
  return ENUM.test(source);
}
