"""What is kept in files, and where. In an order to be read:

- paths, lock, private_files: where; a lock between processes; files for our eyes only
- identity_file, known_keys: who we are; whom we have met
- journal, sessions: what a seat must not forget; the seats that one can go back to
- session_record: the public record of a session: no secret, verified by anybody
"""
