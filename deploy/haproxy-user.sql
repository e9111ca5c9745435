-- Whom haproxy's check signs in as: without a password, and without rights.
create user haproxy@'%';
