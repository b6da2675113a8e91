export const snippets = {
  clients: 'Client',
  code: 'Code',
  copyCode: 'Copy code',
  copyInstall: 'Copy',
  inTerminal: 'Run in a terminal, with the environment variable KEY set to the key',
  inFile: (file: string) => `Save as ${file}, and run it with the environment variable KEY set to the key`,
} as const;
