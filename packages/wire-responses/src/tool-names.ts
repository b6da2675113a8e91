/** Maximum length of a tool's name; every upstream accepts it. */
export const MAX_TOOL_NAME_CHARACTERS = 64;

const FOREIGN_CHARACTER = /[^\w-]/;
const EVERY_FOREIGN_CHARACTER = /[^\w-]/g;

/** Name of the group whose tools keep their own names. */
const DEFAULT_NAMESPACE = 'functions';

const HASH_CHARACTERS = 8;

/** Hash of a text as 8 hexadecimal digits: FNV-1a over UTF-16 code units, the same in every process. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(HASH_CHARACTERS, '0');
}

/**
 * The tool's name for upstreams: its own, or `namespace__name` for groups other than `functions`. Names that upstreams refuse are changed, and end
 * with a hash, so that they stay distinct.
 */
export function upstreamToolName(namespace: string | null, name: string): string {
  const full = namespace === null || namespace === '' || namespace === DEFAULT_NAMESPACE ? name : `${namespace}__${name}`;
  if (full.length <= MAX_TOOL_NAME_CHARACTERS && !FOREIGN_CHARACTER.test(full)) return full;
  return `${full.slice(0, MAX_TOOL_NAME_CHARACTERS - HASH_CHARACTERS - 1).replace(EVERY_FOREIGN_CHARACTER, '_')}_${hashOf(full)}`;
}
