export { type MailFolderSettings, type MailSender, type MailSettings, openMailTransport, type SmtpSettings, verifyMailServer } from './open-mail-transport.js';
