import { oneToken, tokenWord } from '../../brand/token-word';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/units';

export const units: Translated<typeof english.units> = {
  help: 'Was die Einheiten bedeuten',
  title: 'Einheiten',
  tokens: tokenWord,
  unit: 'Einheit',
  exactly: 'genau',
  hint: 'Auswählen, um den Betrag zu kopieren und die Einheiten zu verstehen.',
  copyDollars: 'Dollar kopieren',
  copyTokens: `${tokenWord} kopieren`,
  dollars: {
    name: 'US-Dollar',
    meaning: 'Was Anfragen kosten. Summen sind genau; angezeigt werden sie auf Cent gerundet, unter einem Cent auf zwei Stellen. Der Betrag einer einzelnen Anfrage steht vollständig da.',
  },
  ofAccount: {
    name: tokenWord,
    worth: (rate) => `1 ${oneToken} ist ${rate} wert.`,
    meaning: 'Die Währung des Kontos: Guthaben, Limits und jede Buchung, auf sechs Stellen. Eine Münze kennzeichnet sie.',
  },
  ofModels: {
    name: 'Eingabe-Tokens und Ausgabe-Tokens',
    meaning: 'Die Textstücke, die ein Modell liest und schreibt. Sie sind kein Geld: Der Preis eines Modells gilt für eine Million davon.',
  },
  prices: 'Preise der Modelle',
};
