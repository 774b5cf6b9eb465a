/** `node --import ./deploy/tracing.mjs dist/main.js`: traces over HTTP, PostgreSQL and RabbitMQ, when an OTLP endpoint is set. */
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  const { register } = await import('import-in-the-middle/register-hooks.mjs');
  register({ include: ['http', 'https', 'node:http', 'node:https', 'pg', 'pg-pool', 'amqplib'] });
  const [{ NodeSDK }, { HttpInstrumentation }, { PgInstrumentation }, { AmqplibInstrumentation }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/instrumentation-http'),
    import('@opentelemetry/instrumentation-pg'),
    import('@opentelemetry/instrumentation-amqplib'),
  ]);
  const sdk = new NodeSDK({
    // Statements without their parameters: those hold personal data.
    instrumentations: [
      new HttpInstrumentation({ redactedQueryParams: ['token', 'apikey', 'code'] }),
      new PgInstrumentation({ enhancedDatabaseReporting: false }),
      new AmqplibInstrumentation(),
    ],
  });
  sdk.start();
  process.once('beforeExit', () => void sdk.shutdown());
}
