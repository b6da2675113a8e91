import { transformSync } from '@swc/core';

/** The source as JavaScript, without types, comments and redundant parentheses. */
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
