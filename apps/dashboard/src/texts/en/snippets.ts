/** Requests as code. */
export const snippets = {
  clients: 'Client',
  code: 'Code',
  copyCode: 'Copy code',
  copyInstall: 'Copy',
  inTerminal: 'In a terminal, with the key in the environment variable KEY',
  inFile: (file: string) => `As ${file}, with the key in the environment variable KEY`,
} as const;
