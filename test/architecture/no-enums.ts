const ENUM = /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+\w+\s*\{/mu;

/** Sets of names are unions of strings here: a number can be assigned to an enum without being one of its members. */
export function declaresEnum(source: string): boolean {
  return ENUM.test(source);
}
