import { counted } from '../../format/count';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/first-token';

export const firstToken: Translated<typeof english.firstToken> = {
  choice: 'Erstes Token',
  title: 'Zeit bis zum ersten Token',
  period: (name) => `Zeit bis zum ersten Token, ${name}`,
  median: 'Median',
  slow: '95. Perzentil',
  slowWithin: (time) => `Median · 95 % binnen ${time}`,
  measured: 'Gemessene Anfragen',
  model: 'Modell',
  whole: 'Ganzer Zeitraum',
  empty: 'Keine Anfrage in diesem Zeitraum hatte eine Ausgabe.',
  nothing: (period) => `${period}: Keine Anfrage hatte eine Ausgabe.`,
  sentence: (period, median, slow) => `${period}: Die Hälfte der Anfragen hatte das erste Token innerhalb von ${median}, 19 von 20 innerhalb von ${slow}.`,
  byModel: (models) => `Nach Modell (${models})`,
  byModelTitle: 'Zeit bis zum ersten Token, nach Modell',
  basis: (requests) => `Gemessen an ${counted(requests, 'Anfrage', 'Anfragen')}.`,
  sample: (requests) => `Gemessen an ${counted(requests, 'Anfrage', 'Anfragen')}: in Zeiten mit vielen Anfragen nur an den neuesten.`,
};
