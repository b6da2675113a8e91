import { counted } from '../../format/count';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/proof';

export const proof: Translated<typeof english.proof> = {
  failed: 'Auf dieser Seite ist etwas schiefgegangen. Laden Sie sie neu und versuchen Sie es erneut.',
  retryIn: (seconds) => `Versuchen Sie es in ${seconds < 120 ? counted(seconds, 'Sekunde', 'Sekunden') : counted(Math.ceil(seconds / 60), 'Minute', 'Minuten')} erneut.`,
  typeName: 'Geben Sie zur Bestätigung den Namen ein',
  typeExactly: (text) => `Geben Sie ${text} ein`,
  typedWrong: 'Der Text stimmt nicht überein.',
  title: 'Bestätigen Sie, dass Sie es sind',
  why: 'Bestätigen Sie Ihre Identität für diese Änderung. Eine Bestätigung gilt zehn Minuten.',
  withPasskey: 'Passkey verwenden',
  kind: 'Bestätigen mit',
  kinds: { password: 'Passwort', totp: 'Code', recovery: 'Wiederherstellungscode' },
  labels: { password: 'Passwort', totp: 'Code aus Ihrer Authenticator-App', recovery: 'Wiederherstellungscode' },
  hints: { password: '', totp: 'Sechs Ziffern.', recovery: 'Zehn Zeichen. Jeder Code gilt einmal.' },
  wrong: { password: 'Falsches Passwort.', totp: 'Dieser Code ist falsch oder wurde schon verwendet.', recovery: 'Dieser Code ist falsch oder wurde schon verwendet.' },
  confirm: 'Bestätigen',
  required: 'Dieses Feld ist erforderlich.',
  noPassword: 'Kein Passwort?',
  signInAgain: 'Neu anmelden',
  passkeyEnded: 'Die Passkey-Abfrage wurde abgebrochen oder ist abgelaufen. Versuchen Sie es erneut oder auf einem anderen Weg.',
  passkeyKnown: 'Dieses Gerät oder dieser Sicherheitsschlüssel ist schon registriert.',
  passkeyUnsupported: 'Dieser Browser unterstützt keine Passkeys.',
};
