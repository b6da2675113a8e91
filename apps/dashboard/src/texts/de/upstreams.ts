import { counted } from '../../format/count';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/upstreams';

export const upstreams: Translated<typeof english.upstreams> = {
  title: 'Modellserver',
  help: 'Zahlen dieses Gateways seit seinem Start.',
  empty: 'Kein Modellserver eingerichtet; simulierte Modelle antworten.',
  emptyHelp: 'Fügen Sie dem Katalog Modellserver hinzu, und starten Sie das Gateway neu.',
  kinds: { openai: 'Kompatibel mit OpenAI', anthropic: 'Kompatibel mit Anthropic', responses: 'Responses-API', sandbox: 'Simuliert' },
  builtIn: 'Eingebaut',
  test: 'Testanfrage senden',
  testLabel: (id) => `Testanfrage an ${id} senden`,
  testing: 'Ein Wort wird gesendet, ein Token erwartet. Keinem Konto wird etwas berechnet.',
  answered: (model, took) => `${model} hat nach ${took} geantwortet.`,
  refused: (model, reason) => `${model} hat nicht geantwortet: ${reason}.`,
  model: 'Modell',
  state: 'Stand',
  since: 'seit',
  paused: 'Anfragen werden zurückgehalten',
  answers: 'Antworten',
  failures: 'Fehler',
  firstToken: 'Erstes Token',
  lastSuccess: 'Letzter Erfolg',
  lastFailure: 'Letzter Fehler',
  firstTokenTimes: (median, slow) => `${median} Median · 95 % binnen ${slow}`,
  never: 'Nie',
  noModels: 'Kein Modell im Katalog benutzt diesen Server.',
  failed: (count) => counted(count, 'Fehler', 'Fehler'),
};
