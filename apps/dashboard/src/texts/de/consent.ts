import type { Translated } from '../../locale/translated';
import type * as english from '../en/consent';

export const consent: Translated<typeof english.consent> = {
  title: 'Bevor Sie fortfahren',
  lead: 'Bitte lesen Sie, was hier gilt.',
  changedLead: 'Dies hat sich geändert, seit Sie zugestimmt haben. Bitte lesen Sie es erneut.',
  before: { terms: 'Ich stimme zu:', privacy: 'Ich habe gelesen:' },
  names: { terms: 'Nutzungsbedingungen', privacy: 'Datenschutzerklärung' },
  version: (version) => `Version ${version}`,
  required: 'Nötig, um fortzufahren.',
  submit: 'Weiter',
  signOut: 'Abmelden',
};
