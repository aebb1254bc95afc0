-- SPDX-License-Identifier: Apache-2.0

CREATE SCHEMA IF NOT EXISTS secitem;
CREATE TABLE secitem.format (
    id smallint PRIMARY KEY CHECK (id = 1),
    version integer NOT NULL
);
CREATE TABLE secitem.store (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name bytea NOT NULL UNIQUE,
    uuid bytea NOT NULL UNIQUE,
    device_key bytea NOT NULL,
    code bytea NOT NULL
);
CREATE TABLE secitem.keys (
    store bigint NOT NULL REFERENCES secitem.store ON DELETE CASCADE,
    name text NOT NULL,
    wrapper text NOT NULL,
    parameters bytea NOT NULL,
    sealed bytea NOT NULL,
    checksum bytea NOT NULL,
    code bytea NOT NULL,
    PRIMARY KEY (store, name)
);
CREATE TABLE secitem.item (
    store bigint NOT NULL REFERENCES secitem.store ON DELETE CASCADE,
    id bigint NOT NULL,
    class text NOT NULL,
    reference bytea NOT NULL,
    accessible text NOT NULL,
    primary_key bytea NOT NULL,
    claim bytea NOT NULL,
    slots bytea NOT NULL,
    nonces bytea NOT NULL,
    code bytea NOT NULL,
    attributes bytea NOT NULL,
    secrets bytea,
    CONSTRAINT item_pkey PRIMARY KEY (store, id),
    CONSTRAINT item_reference UNIQUE (store, reference),
    CONSTRAINT item_primary_key UNIQUE (store, primary_key),
    CONSTRAINT item_claim UNIQUE (store, claim)
);
CREATE TABLE secitem.lookup (
    store bigint NOT NULL,
    blind bytea NOT NULL,
    item bigint NOT NULL,
    PRIMARY KEY (store, blind, item),
    CONSTRAINT lookup_item FOREIGN KEY (store, item)
        REFERENCES secitem.item (store, id) ON DELETE CASCADE
);
CREATE INDEX lookup_by_item ON secitem.lookup (store, item);
CREATE TABLE secitem.member (
    id bytea PRIMARY KEY,
    kind text NOT NULL,
    sealed bytea NOT NULL,
    details bytea NOT NULL
);
INSERT INTO secitem.format (id, version) VALUES (1, 1);
