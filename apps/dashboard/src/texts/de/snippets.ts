import type { Translated } from '../../locale/translated';
import type * as english from '../en/snippets';

export const snippets: Translated<typeof english.snippets> = {
  clients: 'Client',
  code: 'Code',
  copyCode: 'Code kopieren',
  copyInstall: 'Kopieren',
  inTerminal: 'Führen Sie dies in einem Terminal aus; die Umgebungsvariable KEY enthält den Schlüssel',
  inFile: (file) => `Speichern Sie dies als ${file} und führen Sie es aus; die Umgebungsvariable KEY enthält den Schlüssel`,
};
