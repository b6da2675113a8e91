import type { MailContent } from '../mail.js';
import { composeMessage } from './compose-message.js';

/** To an operator who tries the settings of mail. */
export function testMessage(): MailContent {
  return composeMessage({
    subject: 'Test message from Tollgate',
    beforeLink: ['This message shows that your Tollgate gateway can send mail.', 'It was sent by the command `tollgate mail test`. You need not do anything.'],
    link: null,
    afterLink: [],
  });
}
