import type { Translated } from '../../locale/translated';
import type * as english from '../en/factors';

export const factors: Translated<typeof english.factors> = {
  setUpApp: 'Authenticator-App einrichten',
  scan: 'Scannen Sie dies mit Ihrer Authenticator-App, oder geben Sie dort den Schlüssel von Hand ein.',
  qrCode: 'QR-Code für Ihre Authenticator-App',
  secret: 'Schlüssel',
  openApp: 'In einer App auf diesem Gerät öffnen',
  code: 'Code aus der App',
  codeNote: 'Sechs Ziffern. Die App zeigt alle 30 Sekunden einen neuen.',
  codeWrong: 'Dieser Code ist falsch oder wurde schon verwendet. Prüfen Sie die Uhr Ihres Geräts.',
  confirmApp: 'App bestätigen',
  codesTitle: 'Wiederherstellungscodes',
  codesLead: 'Wenn Sie Ihre App verlieren, melden Sie sich mit einem dieser Codes an. Jeder gilt einmal. Bewahren Sie sie bei Ihren Passwörtern auf: Hier sind nur ihre Hashes gespeichert, sie können nicht noch einmal angezeigt werden.',
  codesCopy: 'Codes kopieren',
  codesDownload: 'Als Text herunterladen',
  codesFile: 'tollgate-wiederherstellungscodes.txt',
  codesStored: 'Ich habe die Codes aufbewahrt',
  codesNotStored: 'Bewahren Sie zuerst die Codes auf. Sie können nicht noch einmal angezeigt werden.',
  codesDone: 'Weiter',
  passkeyName: 'Name des Passkeys',
  passkeyNameNote: 'Daran erkennen Sie ihn in der Liste.',
  passkeyNameUnknown: 'Passkey',
  addPasskey: 'Passkey hinzufügen',
  passkeys: {
    'available': '',
    'ip-address': 'Passkeys funktionieren nicht mit IP-Adressen. Öffnen Sie die Konsole unter einem Hostnamen, oder auf dieser Maschine unter localhost.',
    'insecure-address': 'Passkeys funktionieren nur über https oder auf localhost.',
    'no-secret': 'Passkeys sind in dieser Installation nicht verfügbar. Wenden Sie sich an ihren Betreiber.',
    'unsupported': 'Dieser Browser unterstützt keine Passkeys.',
  },
};
