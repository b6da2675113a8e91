import { ContainerModule } from 'inversify';
import {
  AddressChange, AddressVerification, AnswerFloor, AttemptLimits, Invitations, OwnPassword, PasswordReset, PasswordSignIn, PersonMails, SignUp,
} from '@tollgate/core';
import { MemoryCounter } from '@tollgate/adapters-memory/limits';
import { PublicAddress } from '../dashboard/call/public-address.js';
import { services } from './services.js';

/** How people come in and keep their identity: the use cases behind sign-up, sign-in and the links in mail. */
export const identityModule = new ContainerModule(({ bind }) => {
  bind(AnswerFloor).toDynamicValue((context) => new AnswerFloor(context.get(services.clock), context.get(services.settings).answerStepMilliseconds));
  bind(AttemptLimits).toDynamicValue((context) => new AttemptLimits({
    own: new MemoryCounter(context.get(services.clock)), shared: context.get(services.sharedCounter), tokens: context.get(services.secretTokens),
  }));
  bind(PersonMails).toDynamicValue((context) => new PersonMails({
    people: context.get(services.people), mailer: context.get(services.mailer), ids: context.get(services.ids), clock: context.get(services.clock), site: context.get(PublicAddress),
  }));
  bind(services.identity).toDynamicValue((context) => {
    const parts = { people: context.get(services.people), mails: context.get(PersonMails), clock: context.get(services.clock), floor: context.get(AnswerFloor), limits: context.get(AttemptLimits) };
    return {
      signUp: new SignUp({ ...parts, policy: context.get(services.settings).dashboard.signUp }),
      passwordSignIn: new PasswordSignIn({ ...parts, sessions: context.get(services.sessions) }),
      verification: new AddressVerification(parts),
      passwordReset: new PasswordReset(parts),
      ownPassword: new OwnPassword({ ...parts, sessions: context.get(services.sessions) }),
      addressChange: new AddressChange(parts),
      invitations: new Invitations(parts),
    };
  });
});
