import { tokenWord } from '../../brand/token-word';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/price-lists';

export const priceLists: Translated<typeof english.priceLists> = {
  title: 'Preislisten',
  help: `Was Konten mit eigener Liste zahlen, jetzt und später, pro Million Tokens in US-Dollar und in Klammern in ${tokenWord}. Listen stehen in der Katalogdatei.`,
  toStandard: 'Standardpreise und ihre angekündigten Änderungen',
  none: 'Keine Preislisten',
  noneHelp: 'Alle Konten zahlen die Standardpreise. Eine Preisliste in der Katalogdatei gibt manchen Konten andere.',
  fromStart: 'Von Anfang an',
  from: (day) => `Ab ${day} (UTC)`,
  factor: (factor) => (factor === '1' ? 'Standardpreise' : `Standardpreise × ${factor}`),
  ownRates: 'Modelle mit eigenen Preisen',
  entriesOf: (list) => `Preise von ${list}`,
  label: 'Preisliste',
  standard: 'Standardpreise',
  change: 'Preisliste ändern',
  changeTitle: (who) => `Preisliste von ${who} ändern`,
  changeHelp: 'Die neuen Preise gelten für Anfragen, die ab jetzt beginnen.',
  changed: (list) => `Die Preisliste ist jetzt ${list}.`,
  notInCatalogue: 'Die Preisliste dieses Kontos steht nicht mehr im Katalog, deshalb werden Standardpreise berechnet.',
};
