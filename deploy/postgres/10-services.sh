#!/usr/bin/env bash
# One schema and one role per service; a role can touch its own schema only. Runs once, when the database is made.
set -euo pipefail
password="${SERVICE_PASSWORD:-decola}"
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" -c 'revoke create on schema public from public'
for service in identity billing automations extraction prize_wheel blog; do
  role="decola_${service}"
  psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<SQL
create role "${role}" login password '${password}';
create schema "${role}" authorization "${role}";
alter role "${role}" set search_path = "${role}";
SQL
done
