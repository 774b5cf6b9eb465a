import type { ConsumeMessage, GetMessage, Options } from 'amqplib';

/** CloudEvents 1.0 attributes of a received message, read from its headers. */
export interface MessageAttributes {
  id: string;
  source: string;
  type: string;
  subject: string;
  time: string;
  /** `<type>/v<version>` of the payload's schema. */
  dataschema: string;
}

/** Attributes of a message to be published. */
export interface Envelope {
  id: string;
  source: string;
  type: string;
  version: number;
  subject: string;
  time: string;
  traceparent?: string | undefined;
}

/** Publish options with the attributes as headers; the body holds only the payload. */
export function publishOptions(envelope: Envelope): Options.Publish {
  return {
    persistent: true,
    contentType: 'application/json',
    messageId: envelope.id,
    type: envelope.type,
    headers: {
      'cloudEvents:specversion': '1.0',
      'cloudEvents:id': envelope.id,
      'cloudEvents:source': envelope.source,
      'cloudEvents:type': envelope.type,
      'cloudEvents:subject': envelope.subject,
      'cloudEvents:time': envelope.time,
      'cloudEvents:dataschema': `${envelope.type}/v${envelope.version}`,
      ...(envelope.traceparent ? { traceparent: envelope.traceparent } : {}),
    },
  };
}

export function headerOf(message: ConsumeMessage | GetMessage, name: string): string | undefined {
  const value: unknown = message.properties.headers?.[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
}

export function attributesOf(message: ConsumeMessage | GetMessage): MessageAttributes {
  const read = (name: string) => headerOf(message, `cloudEvents:${name}`) ?? '';
  const id: unknown = message.properties.messageId;
  return {
    id: typeof id === 'string' ? id : read('id'),
    source: read('source'),
    type: read('type'),
    subject: read('subject'),
    time: read('time'),
    dataschema: read('dataschema'),
  };
}
