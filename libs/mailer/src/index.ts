export { mailerConfig } from './mailer.config.js';
export { MailerModule, type MailerOptions } from './mailer.module.js';
export { type MailContent, type RenderedMail, renderMail } from './mail-layout.js';
export { deleteQueuedMails, MailQueue, type QueuedMail, sealedMails } from './mail-queue.js';
export { mailerMigrations } from './migrations.js';
