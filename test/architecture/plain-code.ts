import { transformSync } from '@swc/core';

/** What a TypeScript source runs as: without its types, its comments and the parentheses that change nothing. */
export function plainCode(source: string): string {
  const { code } = transformSync(source, {
    jsc: { target: 'es2023', parser: { syntax: 'typescript' }, minify: { compress: false, mangle: false, format: { comments: false } } },
    module: { type: 'es6' },
    minify: true,
    swcrc: false,
    configFile: false,
  });
  return code;
}
