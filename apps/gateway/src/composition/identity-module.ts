import { serviceModule } from '@tollgate/composition';
import { factorCodes, HmacDeviceSigner } from '@tollgate/adapters-node';
import { AuthenticatorCodes } from '@tollgate/adapters-sign-in';
import { AccountDeletion, PAY_AS_YOU_GO } from '@tollgate/core';
import { AlertMails, Consents, FactorNotices, KnownDevices, ModelNotices, LOOPBACK_DEVICE_COOKIE, Mailer, OwnDeletion, PersonDirectory, SecondFactors, SECURE_DEVICE_COOKIE, Sessions } from '@tollgate/identity';
import { NO_NOTICE_RECORDS } from '../adapters/no-events.js';
import { MailDelivery } from '../background/mail-delivery.js';
import { SignInMethods } from '../dashboard/call/sign-in-methods.js';
import { PublicAddress } from '../http/public-address.js';
import { services } from './services.js';

const {
  settings, store, personRecords, sessionRecords, factorRecords, passwordHasher, secretTokens, secret, signupCredits, ids, clock, mailOutbox,
  people, mailer, sessions, proofs,
} = services;

export const identityModule = serviceModule((make) => {
  make(people, { records: personRecords, hasher: passwordHasher, devices: KnownDevices, tokens: secretTokens, ids, settings, signupCredits }, (parts) =>
    new PersonDirectory({ ...parts, signUp: parts.settings.dashboard.signUp, planId: PAY_AS_YOU_GO }));
  make(services.signUpPolicy, { settings }, ({ settings: { dashboard } }) => dashboard.signUp);
  make(Consents, { records: personRecords, settings }, ({ records, settings: { brand } }) => new Consents(records, brand.documents));
  make(mailer, { outbox: mailOutbox, ids, clock, onStored: services.mailStored, delivery: MailDelivery }, ({ delivery, ...parts }) =>
    new Mailer({ ...parts, onDropped: () => delivery.drop() }));
  make(AlertMails, { records: services.alertRecords, ids, clock, site: services.mailSite, creditAdvice: services.creditAdvice, onStored: services.mailStored }, (parts) => new AlertMails(parts));
  make(services.mailSite, { address: PublicAddress, settings, configuration: services.configuration, appearance: services.mailAppearance }, (parts) => {
    const { address, settings: { brand }, configuration: { mailTemplates: templates }, appearance: { look } } = parts;
    return () => ({ baseUrl: address.origin, product: brand.name, tokenWord: brand.tokenWord, templates, look });
  });
  make(ModelNotices, { store, catalogue: services.catalogue, ids, clock, settings, site: services.mailSite, onStored: services.mailStored }, ({ store: { noticeRecords: records = NO_NOTICE_RECORDS }, settings: { priceNoticeMilliseconds }, ...parts }) =>
    new ModelNotices({ ...parts, records, priceNoticeMilliseconds }));
  make(services.publicUrl, { address: PublicAddress }, ({ address }) => () => address.origin);
  make(services.mailStored, { delivery: MailDelivery }, ({ delivery }) => () => delivery.wake());
  make(KnownDevices, { people: personRecords, secret, address: PublicAddress }, (parts) => new KnownDevices({
    people: parts.people, signer: parts.secret === null ? null : new HmacDeviceSigner(parts.secret.keysFor('device')),
    cookie: parts.address.cookieForm.secure ? SECURE_DEVICE_COOKIE : LOOPBACK_DEVICE_COOKIE,
  }));
  make(
    proofs,
    {
      people: personRecords, factors: factorRecords, hasher: passwordHasher, tokens: secretTokens, notices: FactorNotices, devices: KnownDevices, secret, settings,
      address: PublicAddress,
    },
    (parts) => ({
      ...parts, codes: parts.secret === null ? null : factorCodes(parts.secret, new AuthenticatorCodes()), secondFactor: parts.settings.dashboard.secondFactor, cookie: parts.address.cookieForm,
    }),
  );
  make(sessions, { proofs, sessions: sessionRecords, ids }, (parts) => new Sessions({ ...parts.proofs, sessions: parts.sessions, ids: parts.ids }));
  make(services.secondFactors, { proofs, sessions, address: PublicAddress, settings }, (parts) =>
    new SecondFactors({ ...parts.proofs, sessions: parts.sessions, issuer: () => `${parts.settings.brand.name} (${new URL(parts.address.origin).hostname})` }));
  make(SignInMethods, { signupCredits, store, secret, address: PublicAddress, settings, tokens: secretTokens, ids, notices: FactorNotices }, ({ settings: { dashboard }, ...parts }) =>
    new SignInMethods({ ...parts, settings: dashboard }));
  make(OwnDeletion, { deletions: AccountDeletion, mailer, site: services.mailSite, settings }, (parts) =>
    new OwnDeletion({ ...parts, graceMilliseconds: parts.settings.deletionGraceMilliseconds }));
});
